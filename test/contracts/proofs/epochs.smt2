; The epochs of a soul.
; any function: SoulRegistry._authorizeOrRegistrar
; any function: SoulRegistry._attest
; any function: SoulRegistry._writePassport

(declare-const call Call)
(declare-const s Storage)
(declare-const signed Word)
(declare-const archive Word)
(declare-const proof Word)
(declare-const signature Word)
(declare-const length Word)
(define-fun soul () Word (mapping SoulRegistry._records (calldataload call signed)))
; run reseal: SoulRegistry.reseal(call, s, signed, archive, proof, signature, length)
; The words that a reseal writes besides: two words have two places.
(assert (distinct soul (mapping SoulRegistry._genesisSoulHashes (calldataload call signed))
  (mapping SoulRegistry._suspensions (calldataload call signed)) (mapping SoulRegistry._archives (calldataload call signed))))

; claim: a reseal adds one to the epoch
(assert (not reseal.reverts))
(check-sat)
(assert (not (and
  (= (SoulRegistry.Record.epoch reseal.storage soul) (bvadd (SoulRegistry.Record.epoch s soul) (_ bv1 256)))
  (bvugt (SoulRegistry.Record.epoch reseal.storage soul) (SoulRegistry.Record.epoch s soul)))))
(check-sat)

; claim: a reseal in the last epoch of 16 bits is refused
(assert (= (SoulRegistry.Record.epoch s soul) (_ bv65535 256)))
(check-sat)
(assert (not reseal.reverts))
(check-sat)
