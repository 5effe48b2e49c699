import { z } from "@hono/zod-openapi";
import {
  CHECK_IDS,
  ENDPOINT_KINDS,
  ENDPOINT_STATES,
  FILE_READINGS,
  GRADES,
} from "../../../protocol/endpoints/index.ts";
import { AgentIdsAnswer, agentIds, TimestampSchema } from "../../platform/http/schemas.ts";
import type { AgentCheck } from "./checks.ts";

/** A schema with its description. */
const about = <Schema extends z.ZodType>(schema: Schema, description: string): Schema =>
  schema.openapi({ description });

const EndpointSchema = z
  .object({
    service: about(z.string(), "Name of the service, as its owner wrote it: untrusted."),
    endpoint: about(z.string(), "Where it is, as its owner wrote it: untrusted."),
    kind: about(
      z.enum(ENDPOINT_KINDS).nullable(),
      "How it was checked. Null: there is nothing to send a request to.",
    ),
    state: about(
      z.enum(ENDPOINT_STATES),
      "`answers`: it answered, and its domain names the passport. `domain_not_proven`: it answered only. `silent`: it did not answer as its service should.",
    ),
    seen: about(z.string(), "What was seen, in the service's own words."),
    answers: about(
      z.boolean().nullable(),
      "Whether it answered as its service should. Null: it was not asked.",
    ),
    domainProven: about(
      z.boolean().nullable(),
      "Whether its origin names the passport. Null: that was not asked.",
    ),
    quotesPayment: about(
      z.boolean().nullable(),
      "Whether it quoted a price by x402. Null: it did not ask for a payment.",
    ),
    latencyMs: about(
      z.number().nullable(),
      "Milliseconds until its first answer. Null without one.",
    ),
    certificateEnds: about(
      TimestampSchema.nullable(),
      "When its certificate ends. Null without TLS.",
    ),
  })
  .openapi("CheckedEndpoint", { description: "One service of the registration file." });

const FileSchema = z
  .object({
    reading: about(
      z.enum(FILE_READINGS),
      "How far reading it came: `no_uri` without an address, `unsupported` for one that cannot be read, `unavailable` for one that did not answer, `invalid` for no JSON object.",
    ),
    hasType: about(z.boolean(), "Whether it has the type of ERC-8004."),
    hasName: about(z.boolean(), "Whether it names the agent."),
    hasDescription: about(z.boolean(), "Whether it describes the agent."),
    hasImage: about(z.boolean(), "Whether it has an image."),
    namesPassport: about(z.boolean(), "Whether `registrations` has the passport."),
    offersPayment: about(z.boolean(), "Whether `x402Support` is true."),
  })
  .openapi("CheckedRegistrationFile", {
    description: "What the agent's registration file has. Null before the first check.",
  });

const CheckIdSchema = about(z.enum(CHECK_IDS), "Stable name of the check. Programs decide by it.");

const FixSchema = z
  .object({
    id: CheckIdSchema,
    title: about(z.string(), "What should hold."),
    action: about(z.string(), "What to do."),
    about: about(z.array(z.string()), "Endpoints that it is about: untrusted."),
    adds: about(z.number(), "Points that it adds."),
    after: about(z.array(z.enum(CHECK_IDS)), "What has to be mended before it."),
  })
  .openapi("EndpointFix");

const DaySchema = z.object({
  day: about(z.iso.date(), "The day, in UTC."),
  answers: about(z.int().min(0), "How often an endpoint was in this state."),
  silent: about(z.int().min(0), "How often an endpoint was in this state."),
  domainNotProven: about(z.int().min(0), "How often an endpoint was in this state."),
  notChecked: about(z.int().min(0), "How often an endpoint was left out."),
});

/** `GET /endpoint-checks/{name}`. */
export const EndpointChecksSchema = z
  .object({
    agentName: z.string(),
    ...AgentIdsAnswer,
    agentRegistry: about(z.string(), "`eip155:<chain id>:<registry>`."),
    grade: about(z.enum(GRADES).nullable(), "From A, the best, to F. Null before the first check."),
    points: about(
      z
        .object({
          reached: about(z.number(), "Points that were reached."),
          of: about(z.number(), "Points of all checks that apply."),
        })
        .nullable(),
      "What the grade is the share of. Null before the first check.",
    ),
    checks: about(
      z.array(
        z.object({
          id: CheckIdSchema,
          title: about(z.string(), "What should hold."),
          points: about(z.number(), "Points that it can give."),
          reached: about(
            z.number().nullable(),
            "Points that it gave. Null: it does not apply, or is not known, and is left out of the sum.",
          ),
        }),
      ),
      "Every check that the grade is made of. Empty before the first one.",
    ),
    fixes: about(z.array(FixSchema), "What to mend, in the order in which to do it."),
    checkedAt: about(TimestampSchema.nullable(), "When the check began. Null before the first."),
    nextCheckAt: about(TimestampSchema.nullable(), "When the next one is due. Null: none is."),
    file: FileSchema.nullable(),
    endpoints: about(z.array(EndpointSchema), "Its services, in the order of the file."),
    statement: about(
      z.string().nullable(),
      "The exact text that is signed: canonical JSON of passport, time, file and endpoints. Null before the first check.",
    ),
    signature: about(
      z.string().nullable(),
      "Of `statement` as a personal message (ERC-191). Null before the first check.",
    ),
    signer: about(
      z.string().nullable(),
      "The storage signer, which `GET /v1/status` names too. Null before the first check.",
    ),
    history: about(
      z.array(DaySchema),
      "Days of the last 90 on which endpoints were checked, the oldest first.",
    ),
  })
  .openapi("EndpointChecks");

/** `POST /endpoint-checks/{name}`. */
export const CheckRequestedSchema = z
  .object({
    agentName: z.string(),
    ...AgentIdsAnswer,
    checkAt: TimestampSchema.openapi({
      description: "The earliest time of the check. Two checks of an agent are 15 minutes apart.",
    }),
  })
  .openapi("EndpointCheckRequested");

export function checksBody(found: AgentCheck): z.input<typeof EndpointChecksSchema> {
  const { check, report, passport } = found;
  return {
    agentName: found.agentName,
    ...agentIds({ tokenId: found.tokenId, passportId: passport.agentId }),
    agentRegistry: passport.registry,
    grade: report?.grade ?? null,
    points: report && { reached: report.reached, of: report.of },
    checks: [...(report?.checks ?? [])],
    fixes: (report?.fixes ?? []).map((fix) => ({
      ...fix,
      about: [...fix.about],
      after: [...fix.after],
    })),
    checkedAt: check?.checkedAt.toISOString() ?? null,
    nextCheckAt: found.nextCheckAt?.toISOString() ?? null,
    file: check?.file ?? null,
    endpoints: [...(check?.endpoints ?? [])],
    statement: check?.statement ?? null,
    signature: check?.signature ?? null,
    signer: check?.signer ?? null,
    history: found.days.map(({ day, states }) => ({
      day,
      answers: states.answers,
      silent: states.silent,
      domainNotProven: states.domain_not_proven,
      notChecked: states.not_checked,
    })),
  };
}
