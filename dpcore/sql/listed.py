"""Names that a query may use: functions that give the same for the same table in little more memory than it, and types."""


def words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


_OPERATORS = words("""
+ - * / // % ** ^ & | << >> ~ @ || ~~ !~~ ~~* !~~* ~~~ ^@ xor !__postfix like_escape ilike_escape not_like_escape
not_ilike_escape
""")
_OF_NUMBERS = words("""
abs acos acosh add asin asinh atan atan2 atanh bit_count cbrt ceil ceiling cos cosh cot degrees divide even exp factorial fdiv
floor fmod gamma gcd greatest greatest_common_divisor if isfinite isinf isnan lcm least least_common_multiple lgamma ln log log10
log2 mod multiply nextafter nullif pi pow power radians round round_even roundbankers sign signbit sin sinh sqrt subtract tan
tanh trunc
""")
_OF_TEXTS = words("""
ascii char_length character_length concat contains ends_with instr lcase left len length levenshtein lower ltrim ord position
prefix regexp_extract regexp_full_match regexp_matches reverse right rtrim split_part starts_with strlen strpos substr substring
suffix trim ucase unicode upper
""")
_OF_DATES = words("""
date_add date_diff date_part date_sub date_trunc datediff datepart datesub datetrunc day dayofmonth dayofweek dayofyear
days_in_month epoch hour isodow isoyear last_day make_date minute month quarter second to_days to_hours to_minutes to_months
to_quarters to_seconds to_weeks to_years week weekday weekofyear year yearweek
""")
AGGREGATES = words("""
any_value arbitrary arg_max arg_max_null arg_min arg_min_null argmax argmin avg bit_and bit_or bit_xor bool_and bool_or corr
count count_if count_star countif covar_pop covar_samp entropy favg first fsum geomean geometric_mean kahan_sum kurtosis
kurtosis_pop last mad max max_by mean median min min_by mode product quantile quantile_cont quantile_disc regr_avgx regr_avgy
regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy sem skewness stddev stddev_pop stddev_samp sum sumkahan
var_pop var_samp variance wavg weighted_avg
""")
FUNCTIONS = AGGREGATES | _OPERATORS | _OF_NUMBERS | _OF_TEXTS | _OF_DATES
WINDOWS = AGGREGATES | words("""
row_number rank dense_rank rank_dense percent_rank cume_dist ntile lag lead first_value last_value nth_value
""")
NUMBERS = words("""
boolean bool logical tinyint int1 smallint int2 short integer int int4 signed bigint int8 long hugeint utinyint usmallint
uinteger ubigint uhugeint float float4 real double float8 decimal numeric dec
""")
TYPES = NUMBERS | words("varchar char bpchar text string date timestamp datetime interval")
OF_THE_SYSTEM = words("""
current_catalog current_database current_date current_localtime current_localtimestamp current_role current_schema current_time
current_timestamp current_user localtime localtimestamp session_user user
""")  # if no column has such a name, it is a value of the clock, or of the user
