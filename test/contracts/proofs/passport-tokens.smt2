; Which token a passport carries: six in a word of SoulRegistry.

(declare-const call Call)
(declare-const s Storage)
(declare-const tokenId Word)
(declare-const status Word)
; Passport ids have 56 bits: others are refused, as souls.smt2 claims. Token ids have 40, because they are counted from 1.
(declare-const passport56 (_ BitVec 56))
(declare-const other56 (_ BitVec 56))
(define-fun passportId () Word ((_ zero_extend 200) passport56))
(define-fun otherId () Word ((_ zero_extend 200) other56))
; The place of the word that holds a passport's token. Two words have two places, because keccak256 has no collisions.
(define-fun place ((p Word)) Word (mapping SoulRegistry._tokensOfPassports (quotient p (_ bv6 256))))
(assert (=> (distinct (quotient passportId (_ bv6 256)) (quotient otherId (_ bv6 256)))
  (distinct (place passportId) (place otherId))))
(define-fun isTokenId () Bool (bvult tokenId (_ bv1099511627776 256)))
; The record of the soul is at other places.
(define-fun record () Word (mapping SoulRegistry._records tokenId))
(define-fun isOfRecord ((at Word)) Bool (or (= at record) (= at (bvadd record (_ bv4 256)))))
(assert (not (isOfRecord (place passportId))))
(assert (not (isOfRecord (place otherId))))
; run bind: SoulRegistry._finishRecord(call, s, tokenId, passportId, status)
; run after: SoulRegistry.tokenOfPassport(call, bind.storage, passportId)
; run other-before: SoulRegistry.tokenOfPassport(call, s, otherId)
; run other-after: SoulRegistry.tokenOfPassport(call, bind.storage, otherId)

; claim: the token of a passport is the one that was written
(assert isTokenId)
(assert (not bind.reverts))
(assert (not after.reverts))
(check-sat)
(assert (not (= after.tokenId tokenId)))
(check-sat)

; claim: writing the token of a passport changes that of no other passport
(assert isTokenId)
(assert (not bind.reverts))
(assert (distinct passportId otherId))
(check-sat)
(assert (not (= other-after.tokenId other-before.tokenId)))
(check-sat)

; The passport of a soul that ends.
(define-fun endedId () Word (SoulRegistry.Record.passportId s record))
(assert (not (isOfRecord (place endedId))))
(assert (=> (distinct (quotient endedId (_ bv6 256)) (quotient otherId (_ bv6 256)))
  (distinct (place endedId) (place otherId))))
; run end: SoulRegistry._end(call, s, tokenId, record)
; run ended-after: SoulRegistry.tokenOfPassport(call, end.storage, endedId)
; run other-kept: SoulRegistry.tokenOfPassport(call, end.storage, otherId)

; claim: the passport of a soul that ended carries no token
(assert (not end.reverts))
(check-sat)
(assert (not (= ended-after.tokenId (_ bv0 256))))
(check-sat)

; claim: the end of a soul changes the token of no other passport
(assert (not end.reverts))
(assert (distinct endedId otherId))
(check-sat)
(assert (not (= other-kept.tokenId other-before.tokenId)))
(check-sat)
