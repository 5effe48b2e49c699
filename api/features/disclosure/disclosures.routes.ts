import { z } from "@hono/zod-openapi";
import { DISCLOSURE_MODES, FIELDS, type Field } from "../../../protocol/index.ts";
import { endpoint } from "../../platform/endpoint.ts";
import { authorise } from "../../platform/http/guard.ts";
import { listCursors, NextCursor, TimePart } from "../../platform/http/lists/cursors.ts";
import { limitParam, offsetParam, pageBy } from "../../platform/http/lists/pages.ts";
import { agentRead, agentWrite, freshRead } from "../../platform/http/operations.ts";
import {
  AgentIdsAnswer,
  agentIds,
  Hex32Schema,
  IdFromClaimAnswer,
  idNumberOrNull,
  NameOrTokenIdParam,
  TimestampSchema,
  TokenIdParam,
  TokenIdSchema,
} from "../../platform/http/schemas.ts";
import { DISCLOSURE_TRIGGERS, type DisclosureRecord, type WithDisclosure } from "./context.ts";
import {
  disclose,
  disclosureHistory,
  disclosureStatus,
  revokeDisclosure as revoke,
} from "./disclosures.ts";
import {
  ExpirySchema,
  FieldSchema,
  type FieldValueJson,
  ProvenFieldSchema,
  StatedFieldsSchema,
  withValues,
} from "./schemas.ts";
import { disclosureSummary } from "./summary.ts";

const Did = z.string().max(128).openapi({ example: "did:svc:8453:aurora" });

export const discloseFields = endpoint({
  operationId: "discloseFields",
  rules: withValues,
  method: "post",
  path: "/disclose",
  tag: "Selective disclosure",
  summary: "Prove fields of an agent's soul to a recipient, or to the public",
  description:
    "The values are compared with the sealed leaves, and forgotten with the answer: only the fields' names are recorded. Pass the answer on yourself. It takes no `Idempotency-Key`, because its answer is never stored.",
  body: z
    .strictObject({
      tokenId: TokenIdSchema,
      disclosures: StatedFieldsSchema.min(1),
      recipientDid: Did.optional().openapi({ description: "Absent: the public." }),
      expiresIn: ExpirySchema.optional().openapi({
        description: "Default: the policy's `defaultExpiry`, or 30d.",
      }),
    })
    .openapi("NewDisclosure"),
  done: "The values with their proofs.",
  answer: z
    .object({
      disclosureId: z.uuid(),
      ...AgentIdsAnswer,
      disclosures: z.array(
        ProvenFieldSchema.extend({ merkleRoot: Hex32Schema, verified: z.literal(true) }),
      ),
      issuedTo: Did.nullable().openapi({ description: "Null for the public." }),
      issuedAt: TimestampSchema,
      expiresAt: TimestampSchema.nullable().openapi({ description: "Null for never." }),
    })
    .openapi("Disclosure"),
  errors: ["NOT_FOUND", "BURNED", "HASH_MISMATCH"],
  async run({ body }, { disclosure }: WithDisclosure, c) {
    const { tokenId } = body;
    await authorise(c, tokenId);
    const { record, passportId, proven } = await disclose(disclosure, c.get("caller"), body);
    return {
      disclosureId: record.id,
      ...agentIds({ tokenId, passportId }),
      disclosures: proven.map(({ field, value, merkleProof, merkleRoot }) => ({
        field,
        value: value as FieldValueJson,
        merkleProof: [...merkleProof],
        merkleRoot,
        verified: true as const,
      })),
      issuedTo: record.recipient?.did ?? null,
      issuedAt: record.issuedAt.toISOString(),
      expiresAt: record.expiresAt?.toISOString() ?? null,
    };
  },
});

const cursors = listCursors("disclosures", z.strictObject({ issuedAt: TimePart, id: z.uuid() }));

export const listDisclosures = endpoint({
  operationId: "listDisclosures",
  rules: agentRead,
  method: "get",
  path: "/disclose/history/{tokenId}",
  tag: "Selective disclosure",
  summary: "What an agent disclosed, when and to whom, for itself and its owner",
  params: { tokenId: TokenIdParam },
  query: {
    limit: limitParam(20),
    offset: offsetParam(1_000_000),
    cursor: cursors.param,
    recipientDid: Did.optional(),
    field: FieldSchema.optional(),
    since: z
      .union([z.iso.datetime(), z.iso.date()])
      .transform((text) => new Date(text))
      .optional()
      .openapi({ type: "string", description: "A date or a time: only what was issued since." }),
  },
  done: "Those of the present seal epoch, the newest first: names of fields, no values.",
  answer: z
    .object({
      ...AgentIdsAnswer,
      agentName: z.string(),
      totalDisclosures: z.int().min(0),
      records: z.array(
        z.object({
          disclosureId: z.uuid(),
          fields: z.array(FieldSchema),
          recipientDid: Did.nullable(),
          recipientName: z.string().nullable(),
          trigger: z.enum(DISCLOSURE_TRIGGERS),
          issuedAt: TimestampSchema,
          expiresAt: TimestampSchema.nullable(),
          revokedAt: TimestampSchema.nullable(),
          status: z.enum(["active", "expired", "revoked"]),
        }),
      ),
      nextCursor: NextCursor,
    })
    .openapi("DisclosureHistory"),
  errors: ["NOT_FOUND", "BURNED"],
  async run(input, { disclosure }: WithDisclosure, c) {
    const { tokenId, limit, offset, cursor, recipientDid, field, since } = input;
    const page = pageBy(limit, { cursor, counted: ["offset", offset] });
    await authorise(c, tokenId);
    const filter = { recipientDid, field, since };
    const found = await disclosureHistory(disclosure, c.get("caller"), tokenId, filter, page);
    return {
      ...agentIds({ tokenId, passportId: found.passportId }),
      agentName: found.agentName,
      totalDisclosures: found.total,
      records: found.records.map((record) => recordBody(record, found.now)),
      nextCursor: cursors.text(found.next),
    };
  },
});

export const revokeDisclosure = endpoint({
  operationId: "revokeDisclosure",
  rules: agentWrite,
  method: "post",
  path: "/disclose/revoke",
  tag: "Selective disclosure",
  summary: "Revoke a disclosure",
  description:
    "Notifies the recipient with `disclosure.revoked`. The proof stays right: what was shown cannot be taken back. Doing it again changes nothing.",
  body: z
    .strictObject({
      tokenId: TokenIdSchema,
      disclosureId: z.uuid(),
      reason: z.string().trim().max(500).optional(),
    })
    .openapi("DisclosureRevocation"),
  done: "Revoked.",
  answer: z
    .object({
      disclosureId: z.uuid(),
      status: z.literal("revoked"),
      revokedAt: TimestampSchema,
      webhookSent: z.boolean(),
      note: z.string(),
    })
    .openapi("RevokedDisclosure"),
  errors: ["NOT_FOUND", "BURNED", "GONE"],
  async run({ body: { tokenId, disclosureId: id, reason } }, { disclosure }: WithDisclosure, c) {
    await authorise(c, tokenId);
    const caller = c.get("caller");
    const { revokedAt, webhookSent } = await revoke(
      disclosure,
      caller,
      tokenId,
      id,
      reason || null,
    );
    return {
      disclosureId: id,
      status: "revoked" as const,
      revokedAt: revokedAt.toISOString(),
      webhookSent,
      note: "The proof stays right: what was shown cannot be taken back.",
    };
  },
});

const AVAILABILITIES = [
  "any",
  "bound_agents",
  "specific_agents",
  "organization_members",
  "regulatory",
  "owner_approval",
  "never",
] as const;

export const getDisclosureSummary = endpoint({
  operationId: "getDisclosureSummary",
  rules: freshRead,
  method: "get",
  path: "/disclose/summary/{name}",
  tag: "Selective disclosure",
  summary: "Which fields of an agent are public, and who can receive the others",
  params: { name: NameOrTokenIdParam },
  done: "All 12 fields, without any value.",
  answer: z
    .object({
      agentName: z.string(),
      tokenId: IdFromClaimAnswer,
      erc8004AgentId: IdFromClaimAnswer,
      soulFields: z.record(
        z.enum(FIELDS),
        z.object({
          disclosed: z.boolean().openapi({
            description: "Whether it was published, or disclosed to the public.",
          }),
          publiclyAvailable: z.boolean().optional(),
          verified: z.boolean().optional(),
          count: z.int().min(0).optional(),
          availableTo: z.enum(AVAILABILITIES).optional(),
        }),
      ),
      totalFields: z.int(),
      publicFields: z.int(),
      restrictedFields: z.int(),
      privateFields: z.int().openapi({ description: "Fields that are never disclosed." }),
      disclosurePolicy: z
        .object({ name: z.string(), preferredMode: z.enum(DISCLOSURE_MODES) })
        .nullable(),
    })
    .openapi("DisclosureSummary"),
  errors: ["INVALID_NAME", "NOT_FOUND"],
  run: async ({ name }, { disclosure }: WithDisclosure) =>
    summaryBody(await disclosureSummary(disclosure, name)),
});

function recordBody(record: DisclosureRecord, now: Date) {
  return {
    disclosureId: record.id,
    fields: [...record.fields],
    recipientDid: record.recipient?.did ?? null,
    recipientName: record.recipient?.name ?? null,
    trigger: record.trigger,
    issuedAt: record.issuedAt.toISOString(),
    expiresAt: record.expiresAt?.toISOString() ?? null,
    revokedAt: record.revokedAt?.toISOString() ?? null,
    status: disclosureStatus(record, now),
  };
}

function summaryBody({
  agentName,
  tokenId,
  passportId,
  fields,
  policy,
}: Awaited<ReturnType<typeof disclosureSummary>>) {
  const publicFields = fields.filter(({ publiclyAvailable }) => publiclyAvailable).length;
  const privateFields = fields.filter(({ availableTo }) => availableTo === "never").length;
  const bodies = fields.map(({ field, disclosed, publiclyAvailable, count, availableTo }) => {
    // Published values were compared with their leaves before they were stored.
    const verified = publiclyAvailable ? true : undefined;
    return [field, { disclosed, publiclyAvailable, verified, count, availableTo }] as const;
  });
  return {
    agentName,
    tokenId: idNumberOrNull(tokenId),
    erc8004AgentId: idNumberOrNull(passportId),
    soulFields: Object.fromEntries(bodies) as Record<Field, (typeof bodies)[number][1]>,
    totalFields: fields.length,
    publicFields,
    restrictedFields: fields.length - publicFields - privateFields,
    privateFields,
    disclosurePolicy:
      policy === null ? null : { name: policy.name, preferredMode: policy.preferredMode },
  };
}
