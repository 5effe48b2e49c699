import { readFile } from "node:fs/promises";
import { z } from "zod";
import { AddressSchema } from "../http/schemas.ts";
import { ConfigError } from "./config.ts";

const Deployment = z.object({
  chainId: z.int().positive(),
  contracts: z.object({
    soulRegistry: AddressSchema,
    soulCertificate: AddressSchema,
    soulView: AddressSchema,
    /** The contract that passport owners approve, and that writes their passports. */
    passportWriter: AddressSchema,
    /** The contract that registers new passports and hands them to their owners. */
    passportMint: AddressSchema,
    /** Which accounts may submit what owners signed. */
    registrars: AddressSchema,
    humanVerifierRegistry: AddressSchema,
    /** The adapter that checks World ID proofs; none where World gave no application id. */
    worldIdVerifier: AddressSchema.nullable().default(null),
    organizationRegistry: AddressSchema,
    bindingRegistry: AddressSchema,
    chronicleAnchor: AddressSchema,
    alignmentRegistry: AddressSchema,
    agentKeys: AddressSchema,
    allowanceVault: AddressSchema,
    /** What allowances are paid in. */
    stablecoin: AddressSchema,
    identityRegistry: AddressSchema,
    reputationRegistry: AddressSchema,
    validationRegistry: AddressSchema.nullable(),
  }),
  startBlock: z.int().min(0),
});

/** Where the contracts are: one file per network, written when they are deployed. */
export type Deployment = z.infer<typeof Deployment>;

/** @throws ConfigError when the file is missing, is not JSON, or names no usable deployment. */
export async function readDeployment(path: string): Promise<Deployment> {
  const refuse = (why: string) => new ConfigError([`SVC_DEPLOYMENT: ${path} ${why}`]);
  const text = await readFile(path, "utf8").catch(() => {
    throw refuse("cannot be read");
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw refuse("is not JSON");
  }
  const parsed = Deployment.safeParse(json);
  if (parsed.success) return parsed.data;
  throw refuse(
    parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; "),
  );
}
