"""The game itself: cards, notation, house rules, and the slow, obvious engine that plays a deal."""
