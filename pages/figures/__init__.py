"""Plotly figures of an experiment: one function a figure. They know no Streamlit."""
