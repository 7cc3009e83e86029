// The tables of the live component: a mount of their own, so that they are sent only if they change.
export default function ({ data }) {
  const shared = globalThis.whatPrivacyCosts ??= {};
  shared.tables = data;
  shared.arrived?.();
}
