/** The settings of a child process, in an environment variable that nothing else reads. */
const VARIABLE = "BENCH_SETTINGS";

/** Settings as an environment. */
export function settingsEnvironment(settings: object): Record<string, string> {
  return { [VARIABLE]: JSON.stringify(settings) };
}

/** @throws Error when one of these is missing. */
export function readSettings<Name extends string>(names: readonly Name[]): Record<Name, string> {
  const text = process.env[VARIABLE];
  if (text === undefined) throw new Error(`${VARIABLE} is not set: run.ts starts this.`);
  const settings = JSON.parse(text);
  for (const name of names) {
    if (typeof settings[name] !== "string") throw new Error(`${VARIABLE} lacks ${name}.`);
  }
  return settings;
}
