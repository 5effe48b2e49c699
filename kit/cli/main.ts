#!/usr/bin/env node
import { buffer } from "node:stream/consumers";
import { COMMANDS } from "./commands/index.ts";
import { runCommand } from "./run.ts";
import { askSecret } from "./terminal.ts";

const { code, stdout, stderr } = await runCommand(COMMANDS, process.argv.slice(2), {
  env: process.env,
  readStandardInput: () => buffer(process.stdin),
  note: (line) => process.stderr.write(`${line}\n`),
  askSecret: process.stdin.isTTY && process.stderr.isTTY ? askSecret : null,
});
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = code;
