; The bitmap of used nonces: OwnerAuthorization, as AllowanceVault inherits it.

(declare-const call Call)
(declare-const s Storage)
(declare-const signer Word)
(declare-const nonce Word)
(declare-const other Word)
; run using: AllowanceVault._useNonce(call, s, signer, nonce)
; run before: AllowanceVault.isNonceUsed(call, s, signer, nonce)
; run after: AllowanceVault.isNonceUsed(call, using.storage, signer, nonce)
; run other-before: AllowanceVault.isNonceUsed(call, s, signer, other)
; run other-after: AllowanceVault.isNonceUsed(call, using.storage, signer, other)
; The place of the word that holds a nonce. Two words have two places, because keccak256 has no collisions.
(define-fun number ((n Word)) Word (bvlshr n (_ bv8 256)))
(define-fun account () Word (bvand signer (bvlshr (bvnot (_ bv0 256)) (_ bv96 256))))
(define-fun place ((n Word)) Word (mapping (mapping AllowanceVault._usedNonces account) (number n)))
(assert (=> (distinct (number nonce) (number other)) (distinct (place nonce) (place other))))

; claim: a nonce is refused exactly when it was used
(check-sat)
(assert (not (= using.reverts (= before.result (_ bv1 256)))))
(check-sat)

; claim: a nonce that was accepted is used
(assert (not using.reverts))
(check-sat)
(assert (not (= after.result (_ bv1 256))))
(check-sat)

; claim: using a nonce changes no other one: no two share a word and bit
(assert (not using.reverts))
(assert (distinct nonce other))
(check-sat)
(assert (not (= other-after.result other-before.result)))
(check-sat)
