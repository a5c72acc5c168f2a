"""What a seat has, and how that changes outside of trade."""
