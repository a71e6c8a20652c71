"""What of a maze is asked, in which words, after how much of its walkthrough."""
