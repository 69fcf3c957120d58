"""Writes a compiler overlay under which sources written for iOS compile on Linux."""
