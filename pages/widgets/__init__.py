"""Streamlit pieces that several pages share."""
