"""Pictures made and changed: editing, effects, backgrounds, guiding maps, new ones."""
