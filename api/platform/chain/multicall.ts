/**
 * Options of reads in one `eth_call`, which are of one block. The call brings the code that makes
 * the reads: no contract has to be deployed for it.
 */
export const ONE_CALL = { allowFailure: false, deployless: true, batchSize: 0 } as const;
