; The record of a soul: packing and versions.
; any function: SoulRegistry._shiftOf

(declare-const call Call)
(declare-const s Storage)
(declare-const tokenId Word)
(declare-const status Word)
(declare-const anyId Word)
; run finish: SoulRegistry._finishRecord(call, s, tokenId, anyId, status)

; claim: a passport id that does not fit into 56 bits is refused
(assert (bvuge anyId (_ bv72057594037927936 256)))
(check-sat)
(assert (not finish.reverts))
(check-sat)

(declare-const record Word)

; claim: the members of a record fill their words: they share no bit, and no bit is left
(check-sat)
(assert (not (and
  (= (select s record)
  (bvor
    (SoulRegistry.Record.sealer s record)
    (bvshl (SoulRegistry.Record.passportId s record) (_ bv160 256))
    (bvshl (SoulRegistry.Record.epoch s record) (_ bv216 256))
    (bvshl (SoulRegistry.Record.status s record) (_ bv232 256))
    (bvshl (SoulRegistry.Record.agentType s record) (_ bv240 256))
    (bvshl (SoulRegistry.Record.suspended s record) (_ bv248 256))))
  (= (select s (bvadd record (_ bv4 256)))
  (bvor
    (SoulRegistry.Record.operator s record)
    (bvshl (SoulRegistry.Record.version s record) (_ bv160 256))
    (bvshl (SoulRegistry.Record.humanEpoch s record) (_ bv192 256))
    (bvshl (SoulRegistry.Record.neverSealed s record) (_ bv208 256))
    (bvshl (SoulRegistry.Record.relative s record) (_ bv216 256)))))))
(check-sat)

; claim: the members of a mark of suspension fill their word
(check-sat)
(assert (not (= (select s record)
  (bvor
    (SoulRegistry.Suspension.observedOwner s record)
    (bvshl (SoulRegistry.Suspension.observedBlock s record) (_ bv160 256))
    (bvshl (SoulRegistry.Suspension.observedAt s record) (_ bv208 256))))))
(check-sat)

(declare-const version Word)
(declare-const elsewhere Word)
(assert (bvult version (_ bv4294967296 256)))
; run decide: SoulRegistry._decide(call, s, tokenId, record, version)

; claim: a decision adds one to the version, and after the last of 32 bits there is none
(assert (not decide.reverts))
(check-sat)
(assert (not (and
  (= version (SoulRegistry.Record.version s record))
  (= (SoulRegistry.Record.version decide.storage record) (bvadd version (_ bv1 256)))
  (bvult version (_ bv4294967295 256)))))
(check-sat)

; claim: a decision over the current version is accepted up to the last one
(assert (= version (SoulRegistry.Record.version s record)))
(assert (bvult version (_ bv4294967295 256)))
(check-sat)
(assert (not (not decide.reverts)))
(check-sat)

; claim: a decision changes only the version
(assert (not decide.reverts))
(check-sat)
(assert (not (and
  (=> (distinct elsewhere (bvadd record (_ bv4 256))) (= (select decide.storage elsewhere) (select s elsewhere)))
  (= (SoulRegistry.Record.operator decide.storage record) (SoulRegistry.Record.operator s record))
  (= (SoulRegistry.Record.humanEpoch decide.storage record) (SoulRegistry.Record.humanEpoch s record))
  (= (SoulRegistry.Record.neverSealed decide.storage record) (SoulRegistry.Record.neverSealed s record))
  (= (SoulRegistry.Record.relative decide.storage record) (SoulRegistry.Record.relative s record)))))
(check-sat)
