import type { TestProject } from "vitest/node";
import { startPostgres } from "./fixtures/embedded-postgres.ts";

/** One service that all test files of a run share. */
interface SharedService {
  stop(): Promise<void>;
}

/** Starts what test files share, in this order; stopped in reverse. Each tells the tests where it is with `provide`. */
const SERVICES: readonly ((project: TestProject) => Promise<SharedService>)[] = [startPostgres];

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const running: SharedService[] = [];
  const stopAll = async () => {
    for (const service of running.reverse()) await service.stop();
  };
  try {
    for (const start of SERVICES) running.push(await start(project));
  } catch (error) {
    await stopAll();
    throw error;
  }
  return stopAll;
}
