"""What runs look like: tables for a terminal, and one self-contained page."""
