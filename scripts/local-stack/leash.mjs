// Runs one command of the local stack and makes sure that it never outlives the stack:
//
//   node leash.mjs <program> [arguments]
//
// The stack starts it as the leader of its own process group and holds the opposite end of its
// standard input. When that end closes, even by kill -9 of the stack, the whole group is stopped.
// Plain JavaScript: it must start at once.
import { spawn } from "node:child_process";
import { constants } from "node:os";

const GRACE_MS = 5_000;

const [program, ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: ["ignore", "inherit", "inherit"] });

child.once("error", (error) => {
  console.error(`${program} could not be started: ${error.message}`);
  process.exit(127);
});
child.once("exit", (code, signal) => {
  // As a shell does, so that the stack knows which signal ended the program.
  process.exit(signal === null ? code : 128 + constants.signals[signal]);
});

// The child receives signals to the group directly; this process stays until the child has exited.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => {});

const stopGroup = () => {
  process.kill(-process.pid, "SIGTERM");
  setTimeout(() => process.kill(-process.pid, "SIGKILL"), GRACE_MS);
};
process.stdin.once("end", stopGroup);
process.stdin.once("error", stopGroup);
process.stdin.resume();
