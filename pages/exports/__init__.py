"""What leaves the app: the link, the script and the report. No Streamlit."""
