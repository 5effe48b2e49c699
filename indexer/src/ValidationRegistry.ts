import { ponder } from "ponder:registry";
import { passportTrust, validation, validationResponse } from "ponder:schema";
import { occurrenceOf } from "./occurrence.ts";
import { storableText } from "./text.ts";

// As in the reputation registry: any account writes texts, and a request can be older than the
// first indexed block.

ponder.on("ValidationRegistry:ValidationRequest", async ({ event, context }) => {
  const { validatorAddress: validator, agentId: passportId, requestHash } = event.args;
  const request = {
    validator,
    passportId,
    requestUri: storableText(event.args.requestURI),
    requestedAt: event.block.timestamp,
    requestedBlock: event.block.number,
    requestTx: event.transaction.hash,
    requestLogIndex: event.log.logIndex,
  };
  await context.db
    .insert(validation)
    .values({ requestHash, ...request })
    .onConflictDoUpdate(request);
  await context.db
    .insert(passportTrust)
    .values({ passportId, validationRequests: 1 })
    .onConflictDoUpdate((row) => ({ validationRequests: row.validationRequests + 1 }));
});

ponder.on("ValidationRegistry:ValidationResponse", async ({ event, context }) => {
  const { validatorAddress: validator, agentId: passportId, requestHash, ...values } = event.args;
  const uri = storableText(values.responseURI);
  const tag = storableText(values.tag);
  const answer = {
    response: values.response,
    responseUri: uri,
    responseHash: values.responseHash,
    tag,
    respondedAt: event.block.timestamp,
    respondedBlock: event.block.number,
    responseTx: event.transaction.hash,
  };
  await context.db
    .insert(validation)
    .values({ requestHash, validator, passportId, ...answer })
    .onConflictDoUpdate(answer);
  await context.db.insert(validationResponse).values({
    requestHash,
    validator,
    passportId,
    response: values.response,
    uri,
    hash: values.responseHash,
    tag,
    ...occurrenceOf(event),
  });
  await context.db
    .insert(passportTrust)
    .values({ passportId, validationResponses: 1 })
    .onConflictDoUpdate((row) => ({ validationResponses: row.validationResponses + 1 }));
});
