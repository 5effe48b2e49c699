// `npm start`. Runs the command from the bundle of the last start, and from its sources with tsx where
// there is no bundle of exactly these sources. Plain JavaScript: it prints its first line at once.
import module from "node:module";

process.stderr.write("Starting …\n");

// A Node that does not run TypeScript itself runs the sources.
const { findBundle } = process.features.typescript
  ? await import("./local-stack/bundle/bundle.ts")
  : {};
const bundle = findBundle?.();
const program = bundle?.programOf("scripts/local-stack/start-command.ts");
if (program === undefined) {
  await import("tsx");
  await import("./start.ts");
} else {
  module.enableCompileCache?.(bundle.environment.NODE_COMPILE_CACHE);
  const { startCommand } = await import(program);
  await startCommand(bundle);
}
