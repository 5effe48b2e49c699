// Written by `npm run generate` from the compiled contracts.

/** contracts/PassportMint.sol */
export const passportMintAbi = [
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "soulRegistry",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "identityRegistry",
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
        "name": "count",
        "type": "uint256"
      }
    ],
    "name": "InvalidReservation",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "passportId",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "expected",
        "type": "uint256"
      }
    ],
    "name": "NotConsecutive",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "reservation",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      }
    ],
    "name": "NotReserved",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "caller",
        "type": "address"
      }
    ],
    "name": "OnlySoulRegistry",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ReentrancyGuardReentrantCall",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      }
    ],
    "name": "UnexpectedToken",
    "type": "error"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "firstTokenId",
        "type": "uint256"
      },
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "firstPassportId",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "count",
        "type": "uint256"
      }
    ],
    "name": "PassportsReserved",
    "type": "event"
  },
  {
    "inputs": [],
    "name": "IDENTITY_REGISTRY",
    "outputs": [
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "SOUL_REGISTRY",
    "outputs": [
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
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
        "internalType": "bytes32",
        "name": "soulHash",
        "type": "bytes32"
      },
      {
        "internalType": "bool",
        "name": "sealing",
        "type": "bool"
      },
      {
        "components": [
          {
            "internalType": "bytes32",
            "name": "archiveId",
            "type": "bytes32"
          },
          {
            "internalType": "string",
            "name": "agentURI",
            "type": "string"
          },
          {
            "internalType": "string",
            "name": "agentURIWithoutIds",
            "type": "string"
          },
          {
            "internalType": "uint256",
            "name": "expectedPassportId",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "expectedTokenId",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "reservation",
            "type": "uint256"
          }
        ],
        "internalType": "struct ISoulRegistry.Publication",
        "name": "publication",
        "type": "tuple"
      }
    ],
    "name": "mint",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "passportId",
        "type": "uint256"
      },
      {
        "internalType": "bool",
        "name": "agentURIHasIds",
        "type": "bool"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "owner",
        "type": "address"
      },
      {
        "components": [
          {
            "internalType": "bytes32",
            "name": "archiveId",
            "type": "bytes32"
          },
          {
            "internalType": "string",
            "name": "agentURI",
            "type": "string"
          }
        ],
        "internalType": "struct ISoulRegistry.BatchPublication[]",
        "name": "publications",
        "type": "tuple[]"
      },
      {
        "internalType": "uint256",
        "name": "leftOut",
        "type": "uint256"
      }
    ],
    "name": "mintBatch",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "firstPassportId",
        "type": "uint256"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "operator",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "from",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      },
      {
        "internalType": "bytes",
        "name": "",
        "type": "bytes"
      }
    ],
    "name": "onERC721Received",
    "outputs": [
      {
        "internalType": "bytes4",
        "name": "",
        "type": "bytes4"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "firstTokenId",
        "type": "uint256"
      }
    ],
    "name": "reservationOf",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "firstPassportId",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "count",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "firstTokenId",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "count",
        "type": "uint256"
      }
    ],
    "name": "reserve",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "unusedReservations",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  }
] as const;
