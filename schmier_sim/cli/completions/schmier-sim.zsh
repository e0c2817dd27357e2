#compdef schmier-sim
# Completion of schmier-sim in zsh: the program says what may follow on a line.

_schmier_sim() {
    local -a answer offers
    local line kind
    answer=("${(@f)$(_SCHMIER_SIM_COMPLETE=1 ${(Q)~words[1]} "${(j: :)words[1,CURRENT-1]} $PREFIX" 2>/dev/null)}")
    kind=$answer[1]
    [[ -n $kind ]] || return 1
    for line in "${(@)answer[2,-1]}"; do
        offers+=("${${line%%$'\t'*}//:/\\:}${${(M)line%$'\t'*}/$'\t'/:}")
    done
    (( $#offers )) && _describe -V 'schmier-sim' offers
    [[ $kind == words ]] && return
    [[ $PREFIX == -*=* ]] && compset -P '*='
    case $kind in
        folders) _files -/ ;;
        files) _files ;;
        *) _files -g "*${kind#files }" ;;
    esac
}

if [[ $funcstack[1] == _schmier-sim ]]; then
    _schmier_sim "$@"
else
    compdef _schmier_sim schmier-sim
fi
