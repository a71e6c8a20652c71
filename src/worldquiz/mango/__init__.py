"""MANGO: mazes in, questions out, models asked, answers scored."""
