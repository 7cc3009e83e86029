// The tables of the live component. They are a separate component, so Streamlit sends them only if they change.
export default function ({ data }) {
  const shared = globalThis.whatPrivacyCosts ??= {};
  shared.tables = data;
  shared.arrived?.();
}
