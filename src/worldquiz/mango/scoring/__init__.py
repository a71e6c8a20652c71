"""What answers earn: scores, contests, tables, mistakes, and what makes mazes hard."""
