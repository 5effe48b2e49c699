import { jobsCommand } from "./jobs/command.ts";

process.exitCode = await jobsCommand(process.argv.slice(2), {
  environment: process.env,
  print: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
});
