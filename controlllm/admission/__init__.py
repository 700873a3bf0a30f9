"""Who may talk to the server, and how much of it each may take: hosts and origins, bodies, files,
conversations, and the line in which requests wait. The page and the programs' interface share it.
"""
