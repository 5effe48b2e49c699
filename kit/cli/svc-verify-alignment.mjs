#!/usr/bin/env node
// The sources are TypeScript, which Node does not run inside node_modules.
import { text } from "node:stream/consumers";
import { register } from "tsx/esm/api";

register();
const { main } = await import("./verify-alignment.ts");
const { code, text: answer } = await main(process.argv.slice(2), () => text(process.stdin));
(code === 2 ? process.stderr : process.stdout).write(answer);
process.exitCode = code;
