import type { Command } from "../command.ts";
import { check } from "./check.ts";
import { chronicleAdd } from "./chronicle-add.ts";
import { disclose } from "./disclose.ts";
import { hash } from "./hash.ts";
import { register } from "./register.ts";
import { signIn } from "./sign-in.ts";
import { validity } from "./validity.ts";
import { verifyAgent } from "./verify-agent.ts";
import { verifyAlignment } from "./verify-alignment.ts";
import { verifyChronicle } from "./verify-chronicle.ts";
import { verifyDisclosure } from "./verify-disclosure.ts";
import { whoami } from "./whoami.ts";

/** All subcommands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  whoami,
  hash,
  register,
  signIn,
  chronicleAdd,
  disclose,
  verifyAgent,
  verifyChronicle,
  verifyDisclosure,
  verifyAlignment,
  validity,
  check,
];
