/** Names and values in two columns. A value of null leaves its line out. */
export function listed(rows: readonly (readonly [name: string, value: unknown])[]): string {
  const shown = rows.filter(([, value]) => value !== null);
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join("\n");
}
