import { ponder } from "ponder:registry";
import { feedback, feedbackResponse, passportTrust } from "ponder:schema";
import { occurrenceOf } from "./occurrence.ts";
import { storableText } from "./text.ts";

// Any account may leave and answer feedback with any text. The third party's registry may be older
// than the first indexed block, so feedback can be revoked or answered that was never seen.

ponder.on("ReputationRegistry:NewFeedback", async ({ event, context }) => {
  const { agentId: passportId, clientAddress: client, feedbackIndex, ...said } = event.args;
  const given = {
    value: said.value,
    valueDecimals: said.valueDecimals,
    tag1: storableText(said.tag1),
    tag2: storableText(said.tag2),
    endpoint: storableText(said.endpoint),
    uri: storableText(said.feedbackURI),
    hash: said.feedbackHash,
    givenAt: event.block.timestamp,
    givenBlock: event.block.number,
    giveTx: event.transaction.hash,
  };
  await context.db
    .insert(feedback)
    .values({ passportId, client, feedbackIndex, ...given })
    .onConflictDoUpdate(given);

  const newClient = feedbackIndex === 1n ? 1 : 0;
  await context.db
    .insert(passportTrust)
    .values({ passportId, feedback: 1, feedbackClients: newClient })
    .onConflictDoUpdate((row) => ({
      feedback: row.feedback + 1,
      feedbackClients: row.feedbackClients + newClient,
    }));
});

ponder.on("ReputationRegistry:FeedbackRevoked", async ({ event, context }) => {
  const { agentId: passportId, clientAddress: client, feedbackIndex } = event.args;
  const revoked = {
    revokedAt: event.block.timestamp,
    revokedBlock: event.block.number,
    revokeTx: event.transaction.hash,
  };
  await context.db
    .insert(feedback)
    .values({ passportId, client, feedbackIndex, ...revoked })
    .onConflictDoUpdate(revoked);
  await context.db
    .insert(passportTrust)
    .values({ passportId, feedbackRevoked: 1 })
    .onConflictDoUpdate((row) => ({ feedbackRevoked: row.feedbackRevoked + 1 }));
});

ponder.on("ReputationRegistry:ResponseAppended", async ({ event, context }) => {
  const { agentId: passportId, clientAddress: client, feedbackIndex, ...said } = event.args;
  await context.db.insert(feedbackResponse).values({
    passportId,
    client,
    feedbackIndex,
    logIndex: event.log.logIndex,
    responder: said.responder,
    uri: storableText(said.responseURI),
    hash: said.responseHash,
    ...occurrenceOf(event),
  });
  await context.db
    .insert(feedback)
    .values({ passportId, client, feedbackIndex, responses: 1 })
    .onConflictDoUpdate((row) => ({ responses: row.responses + 1 }));
  await context.db
    .insert(passportTrust)
    .values({ passportId, feedbackResponses: 1 })
    .onConflictDoUpdate((row) => ({ feedbackResponses: row.feedbackResponses + 1 }));
});
