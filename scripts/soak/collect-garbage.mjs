// Loaded into every Node process of the soaked stack (NODE_OPTIONS): collects all garbage on SIGUSR2. Without it a heap that
// grows to its working size looks like a leak for many minutes.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

process.on("SIGUSR2", () => collectGarbage());
