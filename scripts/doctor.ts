import { doctorCommand } from "./doctor/command.ts";
import { loadEnvFile } from "./processes/environment.ts";

loadEnvFile();
process.exitCode = await doctorCommand(process.argv.slice(2), {
  environment: process.env,
  print: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
});
