import { ponder } from "ponder:registry";
import { feedback, feedbackResponse, passportTrust } from "ponder:schema";
import { occurrenceOf } from "./occurrence.ts";
import { storableText } from "./text.ts";

// Any account may leave and answer feedback with any text. The third party's registry may be older
// than the first indexed block, so feedback can be revoked or answered that was never seen.

ponder.on("ReputationRegistry:NewFeedback", async ({ event, context }) => {
  const { agentId: passportId, clientAddress: client, feedbackIndex, ...values } = event.args;
  const fields = {
    value: values.value,
    valueDecimals: values.valueDecimals,
    tag1: storableText(values.tag1),
    tag2: storableText(values.tag2),
    endpoint: storableText(values.endpoint),
    uri: storableText(values.feedbackURI),
    hash: values.feedbackHash,
    givenAt: event.block.timestamp,
    givenBlock: event.block.number,
    giveTx: event.transaction.hash,
    giveLogIndex: event.log.logIndex,
  };
  await context.db
    .insert(feedback)
    .values({ passportId, client, feedbackIndex, ...fields })
    .onConflictDoUpdate(fields);

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
    revokeLogIndex: event.log.logIndex,
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
  const { agentId: passportId, clientAddress: client, feedbackIndex, ...values } = event.args;
  await context.db.insert(feedbackResponse).values({
    passportId,
    client,
    feedbackIndex,
    responder: values.responder,
    uri: storableText(values.responseURI),
    hash: values.responseHash,
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
