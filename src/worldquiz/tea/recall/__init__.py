"""What an agent knows of a flat that it has walked: a quiz without pictures, after the pictures."""
