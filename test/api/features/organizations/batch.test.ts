import { encodeErrorResult, zeroAddress } from "viem";
import { expect, it } from "vitest";
import {
  batchOperation,
  isOvertaken,
} from "../../../../api/features/organizations/batches/batch.ts";
import { revertError } from "../../../../api/platform/chain/reverts.ts";
import { soulRegistryAbi } from "../../../../protocol/generated/abi.ts";

const revertOf = (errorName: string, args: readonly unknown[]) =>
  encodeErrorResult({ abi: soulRegistryAbi, errorName, args } as never);
const NAME_TAKEN = revertOf("BatchEntryRefused", [1n, revertOf("NameTaken", ["heron", 7n])]);

it("is the same request with and without the choice that nothing is left out", () => {
  const { requestJson } = batchOperation({} as never);
  const request = { organizationId: 7n, owner: zeroAddress, agents: [] };
  const before = { organizationId: "7", owner: zeroAddress, agents: [] };
  expect(requestJson({ ...request, leaveOutTakenNames: false })).toEqual(before);
  expect(requestJson({ ...request, leaveOutTakenNames: true })).toEqual({
    ...before,
    leaveOutTakenNames: true,
  });
});

it("says that names are taken when others have all names of a batch", () => {
  expect(revertError(revertOf("InvalidBatch", [0n, 2n]))).toMatchObject({ type: "NAME_TAKEN" });
});

it.each([
  ["UnexpectedPassportId", revertOf("UnexpectedPassportId", [4n]), true, true],
  ["UnexpectedTokenId", revertOf("UnexpectedTokenId", [4n, 5n]), true, true],
  ["EntryWithoutURI", revertOf("EntryWithoutURI", [0n]), true, true],
  ["NameTaken of an entry", NAME_TAKEN, false, true],
  ["InvalidBatch", revertOf("InvalidBatch", [0n, 2n]), false, false],
])(
  "a batch that the chain refused for %s is sent once more where that can help",
  (_reason, data, ifFirm, ifNamesMayBeLeftOut) => {
    const error = revertError(data);
    expect(isOvertaken(error, { leaveOutTakenNames: false })).toBe(ifFirm);
    expect(isOvertaken(error, { leaveOutTakenNames: true })).toBe(ifNamesMayBeLeftOut);
  },
);
