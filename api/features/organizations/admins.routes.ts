import type { GivenSignature } from "../../operations/operation.ts";
import { OWNER_OPERATION_ERRORS } from "../../operations/schemas.ts";
import { endpoint } from "../../platform/endpoint.ts";
import { requesterOf } from "../../platform/http/guard.ts";
import { ownerSigned } from "../../platform/http/operations.ts";
import { adminBody, foundedBody, performed, withFleetId } from "./answers.http.ts";
import type { SignedForOrganizations } from "./build.ts";
import { ofOrganization } from "./schemas.ts";
import {
  AdminAnswer,
  FoundedAnswer,
  SignedAcceptBody,
  SignedAdminBody,
  SignedFoundingBody,
} from "./signed.schemas.ts";

export const createOrganization = endpoint({
  operationId: "createOrganization",
  rules: { ...ownerSigned, typedData: "org", legacyPaths: ["/fleet"] },
  method: "post",
  path: "/org",
  tag: "Organizations",
  summary: "Found an organization",
  description: "`adminAddress` signs, and becomes its admin. Names need not be unique.",
  body: SignedFoundingBody,
  status: 201,
  done: "Founded, and visible to reads from block `X-Svc-Block` on.",
  answer: FoundedAnswer,
  errors: OWNER_OPERATION_ERRORS,
  async run(
    { body },
    { organizationOperations: { engine, definitions } }: SignedForOrganizations,
    c,
  ) {
    const { name, adminAddress: admin, ...evidence } = body;
    const given = [{ ...evidence, role: "admin" as const }];
    const done = await engine.perform(definitions.found, { name, admin }, given, requesterOf(c));
    const { result, txHash } = performed(c, done);
    return withFleetId(c, foundedBody(result, txHash));
  },
});

export const changeOrganizationAdmin = endpoint({
  ...ofOrganization,
  operationId: "changeOrganizationAdmin",
  rules: {
    ...ownerSigned,
    typedData: "org-admin",
    legacyPaths: ["/fleet/{organizationId}/admin"],
  },
  method: "put",
  path: "/org/{organizationId}/admin",
  summary: "Hand an organization over",
  description:
    "The admin signs. It takes effect when the new admin accepts: with `newAdminSignature` at once, else with `POST /v1/org/{organizationId}/admin/accept`. Another naming replaces one that was not accepted.",
  body: SignedAdminBody,
  done: "Named, or handed over.",
  answer: AdminAnswer,
  errors: OWNER_OPERATION_ERRORS,
  async run(
    { organizationId, body },
    { organizationOperations: { engine, definitions } }: SignedForOrganizations,
    c,
  ) {
    const { newAdmin, newAdminSignature, ...evidence } = body;
    const given: GivenSignature[] = [{ ...evidence, role: "admin" }];
    if (newAdminSignature !== undefined) given.push({ ...newAdminSignature, role: "newAdmin" });
    const isAccepted = newAdminSignature !== undefined;
    const definition = isAccepted ? definitions.handOver : definitions.name;
    const request = { organizationId, newAdmin };
    const done = await engine.perform(definition, request, given, requesterOf(c));
    const { result, txHash } = performed(c, done);
    return withFleetId(c, adminBody(result, isAccepted, txHash));
  },
});

export const acceptOrganizationAdmin = endpoint({
  ...ofOrganization,
  operationId: "acceptOrganizationAdmin",
  rules: {
    ...ownerSigned,
    typedData: "org-admin-accept",
    legacyPaths: ["/fleet/{organizationId}/admin/accept"],
  },
  method: "post",
  path: "/org/{organizationId}/admin/accept",
  summary: "Take an organization over",
  description: "The account that the admin named signs.",
  body: SignedAcceptBody,
  done: "The signer is the admin now.",
  answer: AdminAnswer,
  errors: [...OWNER_OPERATION_ERRORS, "FORBIDDEN"],
  async run(
    { organizationId, body },
    { organizationOperations: { engine, definitions } }: SignedForOrganizations,
    c,
  ) {
    const given = [{ ...body, role: "newAdmin" as const }];
    const request = { organizationId };
    const done = await engine.perform(definitions.accept, request, given, requesterOf(c));
    const { result, txHash } = performed(c, done);
    return withFleetId(c, adminBody(result, true, txHash));
  },
});
