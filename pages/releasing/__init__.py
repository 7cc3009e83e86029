"""The Streamlit pieces of the page Release."""
