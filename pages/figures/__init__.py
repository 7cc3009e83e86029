"""Plotly figures of an experiment, one function each, independent of Streamlit."""
