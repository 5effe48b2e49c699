/**
 * Descriptions of properties that mean the same wherever they occur. A schema's own description
 * goes before these. The most exact key that fits is used: `{Schema}.{name}` or
 * `{operationId}.{name}`, at any depth of that schema; `{parent}.{name}`, where the parent is the
 * property that holds it (`message` for a signed message); `{name}`.
 */
export type PropertyTexts = Readonly<Record<string, string>>;
