"""The page about runs of TEA-Test: tables beside the paper's, walks in plan, tasks with answers."""
