import { fieldValue } from "../../../protocol/ccsf.ts";
import { disclosedFieldIn } from "../../../protocol/disclosure/payload.ts";
import { verifyFieldProof } from "../../../protocol/field-tree.ts";
import { disclosureDocument } from "../../disclosure/index.ts";
import { CERTIFICATE_OPTION } from "../agent/reference.ts";
import { type Command, CommandError, UsageError } from "../command.ts";
import { defined } from "../defined.ts";
import { contractOf, DEPLOYMENT_OPTION, requireDeployment } from "../deployment.ts";
import {
  AGENT_OPTION,
  CREDENTIAL_OPTIONS,
  fieldsOf,
  requireCredential,
  SERVICE_OPTION,
  servedAgent,
  serviceClient,
} from "../service.ts";
import { readSoul, SOUL_ARGUMENT, SOURCE_OPTIONS } from "../soul-file.ts";

const EXPIRIES = ["1h", "1d", "7d", "30d", "never"] as const;

export const disclose: Command = {
  name: "disclose",
  summary: "Prove fields of an agent's soul to others, and reveal no other field",
  argument: {
    value: SOUL_ARGUMENT.value,
    summary: "The sealed soul in a file, or - for standard input. Only the chosen fields are sent",
  },
  options: [
    { name: "field", value: "field", summary: "A field, such as soul.purpose", isRepeated: true },
    { name: "to", value: "did", summary: "Who it is for. Default: the public" },
    { name: "expires", value: "time", summary: `${EXPIRIES.join(", ")}. Default: the policy's` },
    SERVICE_OPTION,
    ...CREDENTIAL_OPTIONS,
    AGENT_OPTION,
    CERTIFICATE_OPTION,
    DEPLOYMENT_OPTION,
    ...SOURCE_OPTIONS,
  ],
  details: `Writes a disclosure document, which proves itself: its reader checks it with svc verify disclosure. The service proves the
values, records which fields were disclosed, and stores no value. With --json, the answer also has the disclosureId.`,
  examples: [
    "disclose soul.md --field soul.purpose --to did:svc:8453:aurora --expires 7d > document.json",
    "disclose soul.md --field identity.name --field soul.purpose --agent heron --json",
  ],
  async run(input) {
    const fields = fieldsOf(input, "field");
    if (fields.length === 0) throw new UsageError("--field is missing: what to disclose.");
    const expiresIn = EXPIRIES.find((known) => known === input.option("expires"));
    if (expiresIn === undefined && input.option("expires") !== undefined) {
      throw new UsageError(`--expires is one of: ${EXPIRIES.join(", ")}.`);
    }
    const deployment = await requireDeployment(input);
    const soulView = contractOf(deployment, "soulView");
    const { ccsf } = await readSoul(input);
    const credential = await requireCredential(input);
    const client = serviceClient(input, credential);
    const { agentName, tokenId } = await servedAgent(input, client, credential);
    const recipientDid = input.option("to");
    const answer = await client.call("discloseFields", {
      body: defined({
        tokenId,
        recipientDid,
        expiresIn,
        disclosures: fields.map((field) => ({ field, value: fieldValue(ccsf, field) as string[] })),
      }),
    });
    const { disclosureId, issuedTo, issuedAt, expiresAt } = answer;
    const disclosures = answer.disclosures.map(disclosedFieldIn).filter((one) => one !== null);
    const isProved = disclosures.every((one) => verifyFieldProof({ ...one, root: one.merkleRoot }));
    if (!isProved || disclosures.map(({ field }) => field).join() !== fields.join()) {
      throw new CommandError("The service answered with a wrong proof. Do not pass it on.");
    }
    const document = disclosureDocument({
      chainId: deployment.chainId,
      soulView,
      agentName,
      tokenId,
      disclosures,
      issuedTo,
      issuedAt,
      expiresAt,
    });
    input.io.note(`Recorded as disclosure ${disclosureId}.`);
    return {
      code: 0,
      json: { disclosureId, document },
      text: JSON.stringify(document, null, 2),
    };
  },
};
