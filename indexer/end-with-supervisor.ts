import { Worker } from "node:worker_threads";

/** Reads a pipe until its other end closes. A thread of its own sees that while the indexer is busy. */
const WATCH = `
  const { Socket } = require("node:net");
  const { workerData } = require("node:worker_threads");
  const end = () => process.kill(process.pid, "SIGKILL");
  new Socket({ fd: workerData }).on("error", end).on("close", end).resume();
`;

/**
 * Ends this process with the one that started it, even by kill -9. Otherwise it would go on alone, and hold its
 * schema and its port against the next start.
 *
 * @param pipe File descriptor of a pipe that the supervisor holds open. Without one, the process lives by itself.
 */
export function endWithSupervisor(pipe: string | undefined): void {
  if (pipe) new Worker(WATCH, { eval: true, execArgv: [], workerData: Number(pipe) }).unref();
}
