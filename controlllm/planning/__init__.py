"""Planning: a request becomes subtasks, and each subtask its solutions (paper Sec. 3.1, 3.2)."""
