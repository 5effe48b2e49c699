import { join } from "node:path";
import { deployCommand } from "./deploy/command.ts";

process.exitCode = await deployCommand(process.argv.slice(2), {
  environment: process.env,
  root: join(import.meta.dirname, ".."),
  print: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
});
