import { describe, expect, it } from "vitest";
import { importedSources, interfaceProblems } from "../../scripts/checks/contract-interfaces.ts";

const header = "// SPDX-License-Identifier: MIT\npragma solidity >=0.8.20;\n";
const problemsOf = (body: string) => interfaceProblems({ "contracts/X.sol": `${header}${body}` });

describe("interfaceProblems", () => {
  it("finds nothing wrong with the interfaces and examples of this repository", () => {
    const sources = importedSources();
    expect(Object.keys(sources)).toContain("contracts/interfaces/ISoulRegistry.sol");
    expect(Object.keys(sources)).toContain("contracts/erc8004/interfaces/IIdentityRegistry.sol");
    expect(Object.keys(sources)).toContain("contracts/examples/GatedService.sol");
    expect(interfaceProblems(sources)).toEqual([]);
  });

  it("fails when there is no file", () => {
    expect(interfaceProblems({})).toEqual([
      "There is no contracts/{interfaces,erc8004/interfaces,examples}/*.sol.",
    ]);
  });

  it("accepts a documented interface", () => {
    expect(
      problemsOf(`
        /// @notice X.
        interface X {
          /// @notice Happened.
          /// @param id Which.
          event Happened(uint256 id);
          /// @notice Failed.
          /// @param id Which.
          error Failed(uint256 id);
          /// @notice Reads.
          /// @param id Which.
          /// @return value What.
          function read(uint256 id) external view returns (uint256 value);
        }
        /// @notice Y.
        contract Y is X {
          /// @inheritdoc X
          function read(uint256 id) external pure returns (uint256) { return id; }
          function hidden(uint256 id) internal pure {}
        }`),
    ).toEqual([]);
  });

  it("names every missing line", () => {
    expect(
      problemsOf(`
        interface X {
          event Happened(uint256 id);
          /// @notice Failed.
          error Failed(uint256 id);
          /// @notice Reads.
          /// @param id Which.
          function read(uint256 id, uint256) external view returns (uint256 value, uint256);
        }
        /// @notice Y.
        contract Y {
          uint256 public stored;
          constructor(uint256 first) { stored = first; }
        }`),
    ).toEqual([
      "contracts/X.sol: X has no @notice.",
      "contracts/X.sol: X.Happened has no @notice.",
      "contracts/X.sol: X.Happened has no @param id.",
      "contracts/X.sol: X.Failed has no @param id.",
      "contracts/X.sol: X.read has no @param for a parameter without a name.",
      "contracts/X.sol: X.read has no @return value.",
      "contracts/X.sol: X.read has no @return for a value without a name.",
      "contracts/X.sol: Y.stored has no @notice.",
      "contracts/X.sol: Y.constructor has no @notice.",
      "contracts/X.sol: Y.constructor has no @param first.",
    ]);
  });

  it("refuses a pragma that the compiler 0.8.20 does not meet", () => {
    const problems = interfaceProblems({
      "contracts/X.sol": "// SPDX-License-Identifier: MIT\npragma solidity 0.8.37;\n",
    });
    expect(problems[0]).toBe('contracts/X.sol has no "pragma solidity >=0.8.20;".');
    expect(problems[1]).toMatch(/^solc-0\.8\.20: ParserError: .* requires different compiler/);
  });

  it("reports an error of the compiler 0.8.20", () => {
    const problems = problemsOf("import {Y} from './Missing.sol';");
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(
      /^solc-0\.8\.20: ParserError: Source "contracts\/Missing\.sol" not found/,
    );
  });
});
