// Written by `npm run generate` from the compiled contracts.

/** contracts/SoulView.sol */
export const soulViewAbi = [
  {
    "inputs": [
      {
        "internalType": "contract ISoulRegistry",
        "name": "soulRegistry",
        "type": "address"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "constructor"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      }
    ],
    "name": "humanVerifiedBy",
    "outputs": [
      {
        "internalType": "bool",
        "name": "verified",
        "type": "bool"
      },
      {
        "internalType": "address",
        "name": "verifier",
        "type": "address"
      },
      {
        "internalType": "bool",
        "name": "stillApproved",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "holder",
        "type": "address"
      },
      {
        "internalType": "uint256[]",
        "name": "passportIds",
        "type": "uint256[]"
      }
    ],
    "name": "passportStates",
    "outputs": [
      {
        "components": [
          {
            "internalType": "uint256",
            "name": "blockNumber",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "blockTime",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "passportCount",
            "type": "uint256"
          },
          {
            "components": [
              {
                "internalType": "uint256",
                "name": "passportId",
                "type": "uint256"
              },
              {
                "internalType": "address",
                "name": "owner",
                "type": "address"
              },
              {
                "internalType": "uint256",
                "name": "tokenId",
                "type": "uint256"
              },
              {
                "internalType": "enum ISoulRegistry.Validity",
                "name": "validity",
                "type": "uint8"
              },
              {
                "components": [
                  {
                    "internalType": "address",
                    "name": "sealer",
                    "type": "address"
                  },
                  {
                    "internalType": "uint56",
                    "name": "passportId",
                    "type": "uint56"
                  },
                  {
                    "internalType": "uint16",
                    "name": "epoch",
                    "type": "uint16"
                  },
                  {
                    "internalType": "enum ISoulRegistry.Status",
                    "name": "status",
                    "type": "uint8"
                  },
                  {
                    "internalType": "enum ISoulRegistry.AgentType",
                    "name": "agentType",
                    "type": "uint8"
                  },
                  {
                    "internalType": "bytes32",
                    "name": "soulHash",
                    "type": "bytes32"
                  },
                  {
                    "internalType": "bytes32",
                    "name": "soulMerkleRoot",
                    "type": "bytes32"
                  },
                  {
                    "internalType": "address",
                    "name": "operator",
                    "type": "address"
                  },
                  {
                    "internalType": "string",
                    "name": "name",
                    "type": "string"
                  }
                ],
                "internalType": "struct ISoulRegistry.Soul",
                "name": "soul",
                "type": "tuple"
              },
              {
                "internalType": "bool",
                "name": "humanVerified",
                "type": "bool"
              },
              {
                "internalType": "bool",
                "name": "suspended",
                "type": "bool"
              },
              {
                "internalType": "uint32",
                "name": "version",
                "type": "uint32"
              },
              {
                "internalType": "uint32",
                "name": "passportVersion",
                "type": "uint32"
              },
              {
                "internalType": "bytes32",
                "name": "archiveId",
                "type": "bytes32"
              },
              {
                "internalType": "bytes32",
                "name": "didArchiveId",
                "type": "bytes32"
              }
            ],
            "internalType": "struct ISoulView.PassportState[]",
            "name": "passports",
            "type": "tuple[]"
          }
        ],
        "internalType": "struct ISoulView.HolderState",
        "name": "state",
        "type": "tuple"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      }
    ],
    "name": "soulState",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "blockNumber",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "blockTime",
        "type": "uint256"
      },
      {
        "components": [
          {
            "internalType": "uint256",
            "name": "passportId",
            "type": "uint256"
          },
          {
            "internalType": "address",
            "name": "owner",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "tokenId",
            "type": "uint256"
          },
          {
            "internalType": "enum ISoulRegistry.Validity",
            "name": "validity",
            "type": "uint8"
          },
          {
            "components": [
              {
                "internalType": "address",
                "name": "sealer",
                "type": "address"
              },
              {
                "internalType": "uint56",
                "name": "passportId",
                "type": "uint56"
              },
              {
                "internalType": "uint16",
                "name": "epoch",
                "type": "uint16"
              },
              {
                "internalType": "enum ISoulRegistry.Status",
                "name": "status",
                "type": "uint8"
              },
              {
                "internalType": "enum ISoulRegistry.AgentType",
                "name": "agentType",
                "type": "uint8"
              },
              {
                "internalType": "bytes32",
                "name": "soulHash",
                "type": "bytes32"
              },
              {
                "internalType": "bytes32",
                "name": "soulMerkleRoot",
                "type": "bytes32"
              },
              {
                "internalType": "address",
                "name": "operator",
                "type": "address"
              },
              {
                "internalType": "string",
                "name": "name",
                "type": "string"
              }
            ],
            "internalType": "struct ISoulRegistry.Soul",
            "name": "soul",
            "type": "tuple"
          },
          {
            "internalType": "bool",
            "name": "humanVerified",
            "type": "bool"
          },
          {
            "internalType": "bool",
            "name": "suspended",
            "type": "bool"
          },
          {
            "internalType": "uint32",
            "name": "version",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "passportVersion",
            "type": "uint32"
          },
          {
            "internalType": "bytes32",
            "name": "archiveId",
            "type": "bytes32"
          },
          {
            "internalType": "bytes32",
            "name": "didArchiveId",
            "type": "bytes32"
          }
        ],
        "internalType": "struct ISoulView.PassportState",
        "name": "state",
        "type": "tuple"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "index",
        "type": "uint256"
      },
      {
        "internalType": "bytes",
        "name": "value",
        "type": "bytes"
      },
      {
        "internalType": "bytes32[]",
        "name": "proof",
        "type": "bytes32[]"
      }
    ],
    "name": "verifyField",
    "outputs": [
      {
        "internalType": "bool",
        "name": "proven",
        "type": "bool"
      },
      {
        "internalType": "bool",
        "name": "valid",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  }
] as const;
