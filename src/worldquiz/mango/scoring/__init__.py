"""What answers earn: scores, contests, tables, and what makes mazes hard."""
